"""Short names for the characters that no reader sees, such as "ZWSP" and "RLO"."""

from __future__ import annotations

_NAMES = {
    0x00AD: "SHY", 0x034F: "CGJ", 0x061C: "ALM", 0x115F: "HCF", 0x1160: "HJF",
    0x17B4: "KIVAQ", 0x17B5: "KIVAA", 0x180B: "FVS1", 0x180C: "FVS2", 0x180D: "FVS3",
    0x180E: "MVS", 0x180F: "FVS4", 0x200B: "ZWSP", 0x200C: "ZWNJ", 0x200D: "ZWJ", 0x200E: "LRM",
    0x200F: "RLM", 0x2028: "LSEP", 0x2029: "PSEP", 0x202A: "LRE", 0x202B: "RLE", 0x202C: "PDF",
    0x202D: "LRO", 0x202E: "RLO", 0x2060: "WJ", 0x2061: "FA", 0x2062: "IT", 0x2063: "IS",
    0x2064: "IP", 0x2066: "LRI", 0x2067: "RLI", 0x2068: "FSI", 0x2069: "PDI", 0x206A: "ISS",
    0x206B: "ASS", 0x206C: "IAFS", 0x206D: "AAFS", 0x206E: "NADS", 0x206F: "NODS",
    0x3164: "HF", 0xFEFF: "BOM", 0xFFA0: "HHF", 0xFFF9: "IAA", 0xFFFA: "IAS", 0xFFFB: "IAT",
    0xFFFC: "OBJ", 0x7F: "DEL", 0x85: "NEL",
}  # fmt: skip
_CONTROLS = (
    "NUL", "SOH", "STX", "ETX", "EOT", "ENQ", "ACK", "BEL", "BS", "HT", "LF", "VT", "FF", "CR",
    "SO", "SI", "DLE", "DC1", "DC2", "DC3", "DC4", "NAK", "SYN", "ETB", "CAN", "EM", "SUB", "ESC",
    "FS", "GS", "RS", "US",
)  # fmt: skip


def sign_name(sign: str) -> str:
    """The short name of a hidden character, such as "RLO"; its number where it has none."""
    code = ord(sign)
    if code in _NAMES:
        return _NAMES[code]
    if code < 0x20:
        return _CONTROLS[code]
    if 0xFE00 <= code <= 0xFE0F:
        return f"VS{code - 0xFE00 + 1}"
    if 0xE0100 <= code <= 0xE01EF:
        return f"VS{code - 0xE0100 + 17}"
    if 0xE0020 < code < 0xE007F:
        return f"TAG {chr(code - 0xE0000)}"
    return f"U+{code:04X}"

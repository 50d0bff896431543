"""The phrasings of the corpus: `§` is the secret, `<sort>` a made value, `¶` a line end."""

from __future__ import annotations

# "group | form | sorts of secret, taken in turn" -> one phrasing a line.
# Sentences in which a token stands by the way.
_IN_PASSING = """
The bot uses § for pushes.
see §
new one: §
ci: §
(§)
"§",
copied § from the dashboard
build agent got §
§
deploy § expires in May
- §
`§`
for production §
old one § revoked?
Der Bot nutzt § seit Montag.
x=§
upload § to the index
pull § first
vault §
limited § for reports
signing §
app §
socket §
id and §
"""

FORMS = {
    "prose | english, sign | pw human an:16 words": """
The admin password: § (changed last week)
NAS login password = §
Wi-Fi pass: §
- **Passphrase**: §
Password for the old laptop: § and it still works
root pw: §, do not share
""",
    "prose | english, verb | pw human an:16": """
The password is §, ask Tom before changing it.
Her new passphrase is now § as of Monday.
The guest network password was changed to § yesterday.
We reset the printer's password to §.
The secret for the webhook has been set to §.
The current passcode on the iPad is §.
""",
    "prose | german, sign | pw human an:12 words": """
Passwort: §
Kennwort (Drucker): §
WLAN-Passwort Gästenetz: §
Zugangspasswort für die Kamera: §, bitte nicht ändern
* Masterpasswort = §
PW NAS: §
""",
    "prose | german, verb | pw human an:14": """
Das Passwort lautet § und gilt bis Mai.
Kennwort vom Drucker ist §, steht auch am Gerät.
Das WLAN-Passwort wurde auf § geändert.
Das Admin-Kennwort der Fritzbox heißt nun §.
Neues Passwort seit gestern: §
Das Passwort für den Router im Keller ist jetzt §.
""",
    "prose | reversed | pw an:16 human": """
Use § as the password for the staging box.
§ is the password of the test account.
Nimm § als Kennwort für den Drucker.
Mit § als Passwort klappt die Anmeldung.
§ ist das neue WLAN-Passwort.
log in with § (that's the root password)
""",
    "prose | pair | pw human an:14": """
Zugangsdaten Router: admin / §
Login: svc_backup / §
credentials: root:§
Benutzer: mara, PW: §
User admin, password §, port 8443
Anmeldung am Switch mit admin und §
""",
    "prose | next line | pw an:18": """
Password:¶§
Das Passwort ist:¶¶    §
Kennwort für die VM:¶- §
API token:¶```¶§¶```
Zugang zum Server¶Benutzer: ops¶Passwort: §¶Port: 2222
The key is below:¶> §
""",
    "prose | table | pw human an:16": """
| Host | User | Password |¶|---|---|---|¶| nas | admin | § |
| Gerät | Kennwort |¶| --- | --- |¶| Drucker | § |
| Password | § |¶| --- | --- |
Host;User;Passwort¶nas;admin;§
Name    Login    Passwort¶nas     admin    §
<tr><td>Password</td><td>§</td></tr>
""",
    "prose | chatty | an:16 pw": """
fyi the api key you wanted, § , still valid
ok so the token for grafana -> §
heads up, new db password below¶§
der Token für den Bot wäre dann §
hier nochmal das Passwort vom Gastzugang, §
wifi at the cabin: network Hut, password §
""",
    "code | pin and door codes | num:4 num:6": """
PIN: §
Die PIN der SIM-Karte ist §.
Türcode §
The alarm code is §
Der Code für die Haustür lautet §.
garage door code: §
PUK §
Safe-Kombination: §
Zahlenschloss am Fahrrad: §
unlock pin for the tablet = §
""",
    "code | recovery and backup codes | codes lo:10": """
Recovery codes: §
Backup-Codes: §
GitHub recovery code §
Wiederherstellungscodes für das Konto: §
2FA backup code is §
Notfallcode: §
""",
    "code | app passwords | app": """
App password for mail: §
Google app password is §
App-Passwort: §
Das App-Passwort für Thunderbird lautet §
""",
    "code | seeds and phrases | phrase totp b32:32": """
Seed phrase: §
TOTP secret: §
otpauth://totp/Acme:mara?secret=§&issuer=Acme
Recovery phrase of the wallet: §
2FA-Schlüssel: §
OTP seed = §
""",
    "code | licence keys | licence": """
Licence key: §
License Key - §
Lizenzschlüssel: §
Product key for the office suite is §
""",
    "config | env | pw an:24 hex:32": """
export DB_PASSWORD=§
API_KEY=§
SMTP_PASS="§"
JWT_SECRET='§'
set ADMIN_PW=§
$env:API_TOKEN = "§"
STRIPE_WEBHOOK_SECRET=§
ENV POSTGRES_PASSWORD §
""",
    "config | yaml | pw an:20": """
database:¶  user: app¶  password: §¶  port: 5432
api_key: "§"
- name: DB_PASSWORD¶  value: §
smtp:¶  auth_password: '§'
mqtt:¶  username: ha¶  password: §
secret_access_key: §
""",
    "config | json | pw an:24": """
{"password": "§", "port": 22}
{"user":"x","pass":"§"}
{"clientSecret": "§"}
{"name": "API_TOKEN", "value": "§"}
"auth_token" : "§",
{"apiKey":"§","region":"eu"}
""",
    "config | toml, ini | pw an:22": """
[db]¶password = §
secret_key = "§"
[client]¶user=root¶password="§"
token = '§'
bindpw §
spring.datasource.password=§
mail.smtp.password: §
""",
    "config | xml, html | pw an:16": """
<password>§</password>
<add key="ApiKey" value="§" />
<user name="admin" password="§"/>
<psk>§</psk>
<property name="db.password" value="§"/>
<ipsec_psk><![CDATA[§]]></ipsec_psk>
<input type="hidden" name="token" value="§">
""",
    "config | k8s, docker | b64:18 an:24": """
kind: Secret¶data:¶  password: §
stringData:¶  api-token: §
docker run -e MYSQL_ROOT_PASSWORD=§ mysql:8
environment:¶  - REDIS_PASSWORD=§
client-key-data: <b64:96>§
"auths": {"registry.example.org": {"auth": "§"}}
""",
    "config | source code | pw an:32": """
password = "§"
const apiKey = '§';
String dbPassword = "§";
client = Client(token="§")
$config['db_pass'] = '§';
define('AUTH_KEY', '§');
conn = connect(host="db", user="app", passwd="§")
os.environ["API_SECRET"] = "§"
private static final String SECRET = "§";
""",
    "command | database clients | pw an:14": """
mysql -u root -p§ crm
PGPASSWORD=§ psql -h db -U app
redis-cli -h cache -a §
mongosh --username root --password § db
sqlcmd -S sql01 -U sa -P §
mysqldump --password=§ crm > dump.sql
""",
    "command | shell logins | pw human an:14": """
sshpass -p § ssh root@10.0.0.5
curl -u admin:§ https://nas.local/api
net use Z: \\\\nas\\share /user:mara §
docker login -u bot -p § registry.example.org
echo '§' | sudo -S reboot
smbclient //nas/share -U mara%§
wget --user=x --password=§ https://example.org/f
echo "root:§" | chpasswd
""",
    "command | tools | an:20 pw": """
vault login --token=§
curl -H "X-Api-Key: §" https://api.example.org
ldapsearch -x -D cn=admin -w § -b dc=x
keytool -list -keystore k.jks -storepass §
openssl pkcs12 -in a.p12 -passin pass:§
7z x archive.7z -p§
xfreerdp /v:host /u:mara /p:§
aws configure set aws_secret_access_key §
ipmitool -H bmc -U ADMIN -P § power status
snmpwalk -v2c -c § 10.0.0.1
""",
    "command | files of logins | pw an:16": """
machine git.example.org login mara password §
db.internal:5432:crm:app:§
//nas/share /mnt cifs username=mara,password=§ 0 0
protocol=https¶host=git.example.org¶username=x¶password=§
//registry.example.org/:_authToken=§
""",
    "url | user information | pw an:18": """
git clone https://deploy:§@git.example.org/acme/app.git
postgresql+psycopg://app:§@db:5432/prod
amqps://svc:§@mq:5671/vhost
redis://:§@cache:6379/0
ftp://mara:§@files.example.org/
rtsp://viewer:§@cam1/stream
https://§@github.example.org/acme/app.git
""",
    "url | connection strings | pw an:18": """
Server=sql01;Database=crm;User Id=sa;Password=§;Encrypt=yes
jdbc:postgresql://db/x?user=root&password=§&ssl=true
host=db user=app password=§ dbname=crm
DRIVER={ODBC};UID=app;PWD=§;
Endpoint=sb://x.servicebus.windows.net/;SharedAccessKeyName=k;SharedAccessKey=§=
DefaultEndpointsProtocol=https;AccountName=acme;AccountKey=§==;
""",
    "url | query and hooks | url:32 an:24": """
https://cam.example.org/snapshot?user=admin&pwd=§
https://x.blob.core.windows.net/c/f?sv=2024&se=2026-01-01&sr=b&sig=§%3D
https://discord.com/api/webhooks/<num:18>/§
https://hooks.slack.com/services/T<up:8>/B<up:8>/§
https://api.example.org/v1/x?access_token=§
https://maps.example.org/js?key=§&v=3
https://acme.webhook.office.com/webhookb2/<uuid>/IncomingWebhook/§/<uuid>
https://example.org/feed.ics?token=§
""",
    "url | headers and cookies | an:32": """
Authorization: Bearer §
Authorization: token §
X-API-Key: §
Cookie: theme=dark; PHPSESSID=§; lang=de
Set-Cookie: session_id=§; HttpOnly
PRIVATE-TOKEN: §
Proxy-Authorization: Basic §
""",
    (
        "token | vendor prefixes | ghp_<an:36> github_pat_<an:22>_<an:59> glpat-<an:20> "
        "xoxb-<num:12>-<num:12>-<an:24> sk_live_<an:24> AKIA<b32:16> AIza<url:35> npm_<an:36> "
        "hf_<an:34> dop_v1_<hex:64> SG.<an:22>.<an:43> shpat_<hex:32> "
        "sk-proj-<an:48>T3BlbkFJ<an:48> sk-ant-api03-<url:93>AA ya29.<url:60> "
        "pypi-AgEIcHlwaS5vcmc<url:90> dckr_pat_<an:27> hvs.<an:40> rk_live_<an:24> "
        "whsec_<an:32> gho_<an:36> ghs_<an:36> xapp-1-<up:11>-<num:13>-<hex:64> "
        "GOCSPX-<url:28>"
    ): _IN_PASSING,
    (
        "token | vendor prefixes, less common | NRAK-<up:27> PMAK-<hex:24>-<hex:34> "
        "EAAA<an:60> sq0csp-<url:43> pat<an:14>.<hex:64> lin_api_<an:40> secret_<an:43> "
        "ntn_<an:46> figd_<url:40> glsa_<an:32>_<hex:8> sbp_<hex:40> vercel_<an:24> "
        "rnd_<an:28> pscale_tkn_<url:43> dp.st.prd.<an:43> xkeysib-<hex:64>-<an:16> "
        "key-<hex:32> AccessKey<an:40> CCIPAT_<an:22>_<hex:40> gsk_<an:52> r8_<an:37> "
        "pplx-<an:48> tskey-auth-<an:12>-<an:32> dapi<hex:32>"
    ): _IN_PASSING,
    "token | labelled without prefix | an:40 hex:40 uuid b64:30": """
Heroku API key: §
The Datadog app key is §
aws_secret_access_key = §
Tuya local key: §
Home Assistant long-lived token §
refresh_token=§
API-Schlüssel der Wetterstation: §
client secret §
Access key for the bucket - §
encryption key: §
""",
    "token | bare | an:40 jwt url:48": """
the deploy bot authenticates with § since May
session holds §
MQTT bridge uses §
Bearer §
Zugriff nur mit §
call the api with §
""",
    "key | private keys | pem pem1 pemcut": """
for the jump host:¶§¶¶keep it safe
"private_key": "§"
half of it:¶§
-----BEGIN PGP PRIVATE KEY BLOCK-----¶¶§¶-----END PGP PRIVATE KEY BLOCK-----
""",
    "key | other keys | b64:32 AGE-SECRET-KEY-1<up:58> hex:64": """
[Interface]¶PrivateKey = §¶Address = 10.0.0.2/32
age identity §
-----BEGIN OpenVPN Static key V1-----¶§¶-----END OpenVPN Static key V1-----
PresharedKey = §
# created: 2026-01-01¶§
{"kty":"EC","crv":"P-256","d":"§","x":"<url:43>"}
Private-Lines: 1¶§
""",
    "device | cisco | an:12 pw HEX:20": """
enable password §
username admin privilege 15 password 7 §
line vty 0 4¶ password §¶ login
snmp-server community § RO 10
tacacs-server key 7 §
radius server R1¶ key 0 §
crypto isakmp key § address 203.0.113.7
 neighbor 10.0.0.1 password §
 ip ospf message-digest-key 1 md5 §
ntp authentication-key 1 md5 §
 ppp chap password 0 §
snmp-server user ops OPS v3 auth sha § priv aes 128 <an:12>
key chain K¶ key 1¶  key-string §
 wpa-psk ascii 0 §
""",
    "device | nexus, aruba, hp | an:14 pw": """
feature tacacs+¶tacacs-server host 10.0.0.9 key 0 "§"
username ops password 5 § role network-admin
wlan ssid-profile x¶ wpa-passphrase §
aaa authentication-server radius r¶ key §
password manager user-name admin plaintext §
snmp-server community "§" operator unrestricted
radius-server host 10.0.0.8 key "§"
isis authentication key §
""",
    "device | junos | junos an:14": """
set system root-authentication encrypted-password "<crypt>§"
set security ike policy p pre-shared-key ascii-text "§"
authentication-key "§"; ## SECRET-DATA
set protocols bgp group x authentication-key §
set system radius-server 10.0.0.8 secret §
set snmp community § authorization read-only
set snmp v3 usm local-engine user u authentication-sha authentication-password §
""",
    "device | fortios | b64:36 an:14": """
config user local¶ edit mara¶ set passwd ENC §
config vpn ipsec phase1-interface¶ edit hq¶ set psksecret §
config wireless-controller vap¶ set passphrase "§"
config system snmp user¶ set auth-pwd ENC §
config user radius¶ set secret §
""",
    "device | huawei, h3c, zte | huawei an:14": """
local-user admin password irreversible-cipher §
snmp-agent community read cipher §
 ospf authentication-mode md5 1 cipher §
radius-server shared-key cipher §
wlan security wpa2 psk pass-phrase § aes
super password level 3 cipher §
 ppp chap password simple §
""",
    "device | routeros | pw an:16": """
/ppp secret add name=vpn1 password=§ service=l2tp
/interface wireless security-profiles set default wpa2-pre-shared-key="§"
/ip ipsec identity add peer=hq secret=§
/user add name=ops group=full password="§"
/interface pppoe-client add user=x password=§ interface=ether1
/snmp community add name=§ addresses=10.0.0.0/8
/interface wifi security add authentication-types=wpa2-psk passphrase=§
/radius add address=10.0.0.8 secret=§ service=ppp
/interface wireguard peers add preshared-key="§"
""",
    "device | vyos, edgeos, openwrt | pw an:16": """
set interfaces pppoe pppoe0 authentication password '§'
set vpn ipsec authentication psk hq secret '§'
set system login user ops authentication plaintext-password §
set service snmp community §
option key '§'
uci set wireless.default_radio0.key='§'
wpa_passphrase=§
psk="§"
network={¶ ssid="hut"¶ psk="§"¶}
""",
    "device | unifi, fritz, opnsense | an:16 pw": """
"x_passphrase": "§"
<user><name>root</name><password>§</password></user>
pppoe.1.password=§
FRITZ!Box-Kennwort: §
<pre-shared-key>§</pre-shared-key>
"wpa_psk":"§"
FRITZ!Box WLAN-Netzwerkschlüssel § steht unten am Gerät
users.1.password=§
""",
    "device | spoken | pw human an:14": """
SNMP community is § on all switches
RADIUS shared secret: §
IPsec PSK towards the branch: §
PPPoE password from the provider is §
BGP MD5 key with the upstream: §
Der WPA2-Schlüssel ist §
SNMPv3 auth § / priv <an:12>
VPN pre-shared key §
Die SNMP-Community heißt §.
""",
    "hash | crypts | crypt bcrypt": """
root:§:19000:0:99999:7:::
htpasswd admin:§
enable secret 9 §
hash § from the backup
admin:§
""",
}

CLEAN = {
    "hashes": """
fixed in commit <hex:40> on main
commit <hex:7> and <hex:12> were reverted
sha256:<hex:64>
md5 of the image: <hex:32>
pip install --require-hashes x==1.0 --hash=sha256:<hex:64>
"integrity": "sha512-<b64:64>"
ETag: W/"<hex:32>"
docker pull registry.example.org/app@sha256:<hex:64>
SHA1(file)= <hex:40>
SHA256:<b64:32> host key fingerprint of bastion
The key fingerprint is SHA256:<b64:32> mara@laptop
foo.py,sha256=<url:43>,1234
cherry-picked <hex:40>, build 1234
Prüfsumme der Datei: <hex:64>
cache key <hex:32> expired
""",
    "ids": """
memory id <uuid>
session <hex:32>
order ORD-<up:10> shipped
trace_id=<hex:32> span_id=<hex:16>
YouTube id <an:11>
https://docs.example.com/document/d/<url:44>/edit
S3 key exports/2026/<an:20>.parquet
IBAN DE<num:20>
Seriennummer <up:12>
MAC 00:1A:2B:3C:4D:5E and 3c-5a-b4-01-02-03
IPv6 2001:db8:85a3::8a2e:370:7334, IPv4 192.0.2.17/24
ISBN 978-3-16-148410-0
Telefon +49 30 1234567-89, Fax 030 1234568
Kundennummer <num:10>, Vertrag V-<num:8>
request <uuid> failed after 3 retries
https://example.org/watch?v=<an:11>&t=42
ULID 01J<up:23>
User-ID <num:8>, Postleitzahl 10115
part number WD-<up:10>, firmware 7.12.1
DHL-Sendung <num:20> ist unterwegs
""",
    "public material": """
data:image/png;base64,<b64:120>
-----BEGIN CERTIFICATE-----¶<b64:48>¶<b64:48>¶-----END CERTIFICATE-----
ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI<an:43> ops@laptop
ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQ<an:200> mara@nas
-----BEGIN PUBLIC KEY-----¶<b64:48>¶-----END PUBLIC KEY-----
[Peer]¶PublicKey = <b64:32>¶AllowedIPs = 0.0.0.0/0
DKIM: v=DKIM1; k=rsa; p=<b64:96>
public key: <b64:32>
Der öffentliche Schlüssel ist <b64:32>
age1<lo:58>
peer <b64:32> connected via wg0
<script src="x.js" integrity="sha384-<b64:48>"></script>
""",
    "code": """
password = os.environ['DB_PASSWORD']
password = getpass.getpass()
def login(user: str, password: str) -> Token:
const token = await getToken(user);
if (!password) throw new Error('password required')
api_key = config.get("api_key")
token = request.headers.get('Authorization')
export API_KEY=<your-api-key>
password: ********
password: ${DB_PASSWORD}
PASSWORD={{ vault.db_password }}
secretName: db-credentials
self.token_count = len(tokens)
max_tokens: 4096
for key in sorted(secrets.keys()):
SELECT password_hash FROM users WHERE id = ?
pwd && ls -la
passwordField.setEchoMode(QLineEdit.Password)
assert 'secret' not in output
csrf_token = forms.CharField(required=False)
password=password, token=self._token, secret=None
if token.type == TokenType.NAME and token.value == "def":
token: Optional[str] = None
String password = scanner.nextLine();
secret_key = secrets.token_urlsafe(32)
parser.add_argument("--password", help="password of the user")
mysql -u root -p crm < dump.sql
curl -u "$USER:$PASS" https://example.org
sshpass -p "$PASS" ssh host
token = tokens[i + 1]
password_regex = re.compile(r"^[A-Za-z0-9]{8,}$")
PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]
tokenizer = AutoTokenizer.from_pretrained("bert-base-uncased")
secrets: ${{ secrets.GITHUB_TOKEN }}
key = f"user:{user_id}:token"
""",
    "policy prose": """
The password policy requires 12 characters.
Password: required, min. 12 characters
Passwords must contain at least 8 characters, 1 digit and 1 symbol.
The token expires after 3600 seconds.
Set the password to something long.
The secret of good tests is small steps.
Token limit reached after 8000 tokens.
Key: value pairs are sorted
api key rotation happens monthly
He said: 'pass: me the salt'
login: use the SSO page
secret santa is on 6 December
Basic: simple layout; Bearer: none
The password is stored in Bitwarden.
Password reset link expires in 24h.
The PIN was sent by post on 2026-03-01.
Password: see 1Password, entry Router
Use OAuth2 tokens instead of passwords (RFC6749).
the key is to start small and measure
User prefers dark mode and German answers.
password hashing uses PBKDF2-HMAC-SHA256 with 600000 rounds
token-based auth via OAuth2/OIDC since v2.3.1
The access token is valid for 15min, the refresh token for 30d.
password length >= 12, WPA2-PSK only
The codes are ISO-8859-1 and UTF-8.
""",
    "german prose": """
Passwort: siehe KeePass, Eintrag Router
Das Passwort wird alle 90 Tage geändert.
Passwort vergessen? Bitte an den Administrator wenden.
Kennwort ist beim Kunden hinterlegt
Schlüssel: liegt beim Hausmeister
Die PIN wurde per Post verschickt.
Das Geheimnis: gute Vorbereitung
VLAN 120 auf Port 7, Gateway 10.1.2.1
Das Passwort muss mindestens 12 Zeichen lang sein und eine Ziffer enthalten.
Passwort ist im Tresor, Fach 3, Umschlag B12.
Das Kennwort wurde am 12.03.2026 um 14:30 Uhr zurückgesetzt.
Der Schlüssel zum Serverraum hängt an Haken 7.
Zugangsdaten hat Frau Meyer-Lüdenscheid.
Das Passwort lautet wie beim letzten Mal.
Der Code der Fehlermeldung ist 0x80070005.
Postleitzahl 10115, Hausnummer 42a, Kundennummer 123456
Die PIN-Eingabe ist nach 3 Versuchen gesperrt.
WLAN-Schlüssel steht auf der Rückseite des Routers.
Das Token läuft nach 30 Tagen ab.
Bitte das Passwort nicht per E-Mail verschicken!
Kennwort: wird nachgereicht
Schlüsselfertig übergeben am 1.4.2025
Passwörter immer im Passwortmanager speichern.
Losung des Tages: Weitermachen
Der Türcode ändert sich monatlich.
""",
    "device texts": """
/ip address add address=10.0.0.1/24 interface=ether2
/interface wireless set wlan1 ssid=Gast band=5ghz-a/n/ac
snmp-server location Rack-12
interface GigabitEthernet0/1¶ switchport access vlan 30
set passphrase-policy min-length 12
/ppp profile set default use-encryption=yes
service password-encryption
no enable password
ntp authentication-key 1 ?
/user set admin group=read
set system syslog host 10.0.0.5 any notice
ip http secure-server
crypto key generate rsa modulus 2048
aaa authentication login default group tacacs+ local
set security ike proposal p authentication-method pre-shared-keys
spanning-tree mode rapid-pvst
config system interface¶ edit port1¶ set alias "Uplink-2"
/ip firewall filter add chain=input action=drop
username-format without-domain
key chain OSPF-KEYS
ip ssh version 2
snmp-server enable traps snmp authentication linkdown
""",
    "names and versions": """
snake_case_identifier_of_a_long_function_name_v2
test-http2-max-session-memory-leak-in-the-pool
python-3.11.7-amd64.exe, numpy-1.26.4-cp311-cp311-manylinux_2_17_x86_64.whl
libfoo_2.3.4-1ubuntu5~22.04_amd64.deb
DB_PASSWORD and API_KEY are read from the environment
GITHUB_TOKEN is set by the workflow
The variables AWS_SECRET_ACCESS_KEY and AWS_ACCESS_KEY_ID must be set.
kernel 6.1.0-18-amd64 #1 SMP Debian 6.1.76-1
see https://example.org:8443/path?x=1 and mail a@example.org
git@github.com:acme/app.git
iPhone15,2 runs iOS 17.4.1 (21E236)
CVE-2024-12345 and GHSA-abcd-1234-wxyz
RTX4090, i7-13700K, 64GB DDR5-5600
tokenization, tokenizer, keyboard, keynote, passport, passenger
AES-256-GCM, SHA3-512, X25519, Ed25519
rgba(12, 34, 56, 0.5) #a1b2c3
color: #FF00AA; padding: 0 4px
2026-03-01T12:34:56.789Z INFO worker-3 started
X-Request-ID, Content-Security-Policy: default-src 'self'
E2E tests for auth/login.spec.ts pass in 12.4s
""",
}

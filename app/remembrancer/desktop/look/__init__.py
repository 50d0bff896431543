"""The building blocks of the window, all in one look.

tokens   colours by name, one set a theme          theme     which theme is worn, and the switch
sheet    the style sheet of Qt's own widgets       fonts     the bundled typefaces
icons    line icons in any colour                  paint     strokes that every block shares
plain    foreign text made safe to show            labels    words, badges, frames, banners
buttons  things to press                           chips     things to choose from
cards    a list of cards                           timeline  a list of what happened
browser  Markdown without reach to the outside     diff_view two texts side by side
rail     the places of the window                  flow      a layout that wraps like words
"""

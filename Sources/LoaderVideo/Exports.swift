@_exported import Animations
@_exported import Core
// Everything that loaders need, so that a single import is enough.
@_exported import Render

@_exported import struct Media.Caption
@_exported import struct Media.Chapter
@_exported import enum Media.ColorGamut
@_exported import enum Media.Container

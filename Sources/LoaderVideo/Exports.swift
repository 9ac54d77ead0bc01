// What loaders are written with, so that one import is enough.
@_exported import Annotations
@_exported import Loaders
@_exported import struct Media.Caption
@_exported import struct Media.Chapter
@_exported import enum Media.ColorGamut
@_exported import enum Media.Container
@_exported import Motion
@_exported import Pipeline
@_exported import Scene
@_exported import Timing

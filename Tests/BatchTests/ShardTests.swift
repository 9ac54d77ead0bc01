import Batch
import TestSupport
import Testing

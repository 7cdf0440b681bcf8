/** Before each file of tests: a part of the machine is used only by tests that say so. */
import { demandDeclarations } from './detect.ts'

demandDeclarations()

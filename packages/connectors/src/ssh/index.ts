/** How a target is reached by SSH with a credential: used by the gateway for users, and by the worker for automations. */
export { ciphers, hostKeyAlgorithms, targetAlgorithms } from './algorithms.ts'
export { connectSsh, type SshConnection, type SshCredential } from './client.ts'
export { outputOf } from './command.ts'
export { gatherWrites } from './gather-writes.ts'
export { fingerprintOf, type HostKeyVerifier, keyAlgorithm, type ShownHostKey, shownHostKey } from './host-key.ts'
export { openedInTime } from './opened-in-time.ts'
export { openTcp } from './tcp.ts'
export { openThrough } from './tunnel.ts'

import type ssh2 from 'ssh2'
import { bareAddress } from './address.ts'
import { openedInTime } from './opened-in-time.ts'

/** A byte stream from a signed-in gateway to a port of another target. */
export const openThrough = (gateway: ssh2.Client, host: string, port: number): Promise<ssh2.ClientChannel> =>
  openedInTime((done) => gateway.forwardOut('127.0.0.1', 0, bareAddress(host), port, done))

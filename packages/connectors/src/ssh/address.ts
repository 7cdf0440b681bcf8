/** An address as sockets take it: IPv6 addresses are also written in brackets, as in a URL. */
export const bareAddress = (address: string): string =>
  /^\[(?<inner>[^\]]*:[^\]]*)\]$/.exec(address)?.groups?.inner ?? address

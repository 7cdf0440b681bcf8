/**
 * Whether a URL answers 200. The certificate is not verified: it is our own program on this machine, and its name may
 * differ from the address used here.
 * @param {string} url
 * @returns {Promise<boolean>}
 */
export async function healthy(url) {
  const { request } = url.startsWith('https:') ? await import('node:https') : await import('node:http')
  return new Promise((settle) => {
    const asked = request(url, { timeout: 2000, agent: false, rejectUnauthorized: false }, (answer) => {
      answer.resume()
      answer.on('end', () => settle(answer.statusCode === 200))
      answer.on('error', () => settle(false))
    })
    asked.on('error', () => settle(false))
    asked.on('timeout', () => asked.destroy())
    asked.end()
  })
}

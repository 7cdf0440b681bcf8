import { call } from '../../kit/api/client.ts'

/** Whether email is configured. */
export async function sendsMail(): Promise<boolean> {
  const backends = await call<{ name: string }[]>('/api/v1/notifications/backends/', { quiet: true })
  return backends.some(({ name }) => name === 'email')
}

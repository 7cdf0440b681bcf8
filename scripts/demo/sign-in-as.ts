/** How people sign in: each from their desk, with their browser. */
import { type Client, clientWith } from '../../packages/testing/src/client.ts'
import { type Colleague, colleagues } from './company.ts'

const browsers = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
  'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1',
]

/** Of the desk of this person. */
export const addressOf = ({ username }: Colleague) =>
  `10.40.${1 + (username.length % 9)}.${20 + colleagues.findIndex((one) => one.username === username)}`

/** Signs in with the browser of this person; undefined when it is refused, or waits for somebody who agrees. */
export async function signInAs(
  url: string,
  person: Colleague,
  password: string,
  address = addressOf(person),
): Promise<Client | undefined> {
  const answer = await fetch(`${url}/api/v1/authentication/auth/`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-jms-login-type': 'W',
      'user-agent': browsers[person.username.length % browsers.length] ?? '',
      'x-forwarded-for': address,
    },
    body: JSON.stringify({ username: person.username, password }),
  })
  const { token } = (await answer.json()) as { token?: string }
  return token ? clientWith({ url, token }) : undefined
}

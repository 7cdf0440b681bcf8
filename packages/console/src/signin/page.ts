import { pageElementId, type SignInPage } from '@castellan/contract/signin-page'

/** Data the server wrote into the page. */
export const page = JSON.parse(document.getElementById(pageElementId)?.textContent ?? 'null') as SignInPage

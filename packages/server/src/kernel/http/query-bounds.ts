import { errors } from '@castellan/contract/messages/errors'
import { invalid, text } from '../module/errors.ts'
import type { Params } from './route.ts'

/** Parameters of one request. Lists have some dozens. */
export const mostParameters = 200
/** Words of a search; each is a condition of its own on every searched column. */
export const mostWords = 30
/** Characters of a search. */
export const longestSearch = 1000
/** Values in one parameter, such as ids separated by commas; more are sent as a selection (`spm`). */
export const mostValues = 1000

/** The words of a search. */
export const wordsOf = (search: string | undefined): string[] => (search ?? '').split(/[,\s]+/).filter(Boolean)

/**
 * Throws 400 naming a parameter of which a query would be made that databases refuse, or that takes them long: this is
 * asked of every request, so that no list has to.
 */
export function demandBoundedQuery(query: Params): void {
  const names = Object.keys(query)
  if (names.length > mostParameters)
    throw invalid({ non_field_errors: [text(errors.too_many_parameters, { most: mostParameters })] })
  for (const name of names) {
    const value = query[name] ?? ''
    if (name === 'search' && (value.length > longestSearch || wordsOf(value).length > mostWords))
      throw invalid({ [name]: [text(errors.search_too_long, { words: mostWords, characters: longestSearch })] })
    if (value.length > mostValues && value.split(',').length > mostValues)
      throw invalid({ [name]: [text(errors.too_many_values, { most: mostValues })] })
  }
}

/** The one decision when two sign-in names are the same, for whoever types, creates, imports or counts them. */

const pairs = (from: string, to: string) => [...from].map((letter, at) => [letter, [...to][at] ?? ''] as const)

/** Letters of other scripts that look like Latin ones (Unicode TR39), in small letters. */
const small = new Map([
  ...pairs('аеорсухіјѕԁһԛԝѵӏгү', 'aeopcyxijsdhqwvlry'),
  ...pairs('αγινορυχκτεω', 'ayivopuxktew'),
  ...pairs('օոսհցյզաԺ', 'onuhgjqwd'),
  ...pairs('ɑɡɩʏʋᴄᴏᴠᴡᴢ', 'agiyvcovwz'),
])

/** The same in capital letters: a name may be shown, or be typed, in either. */
const capital = new Map([
  ...pairs('АВЕКМНОРСТУХІЈЅԌԚԜҮӀЗ', 'ABEKMHOPCTYXIJSGQWYL3'),
  ...pairs('ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ', 'ABEZHIKMNOPTYX'),
  ...pairs('ՏՕԼՍ', 'SOLU'),
])

const unseen = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu

/** A name without differences of case, width, form and spaces. */
export const foldedName = (name: string): string =>
  name
    .normalize('NFKC')
    .replace(unseen, '')
    .trim()
    .replace(/\s+/gu, ' ')
    // Over capitals: ß is ss, and a dotless i is an i.
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKC')
    .replaceAll('i\u0307', 'i')

const asLatin = (name: string, table: ReadonlyMap<string, string>) =>
  [...name].map((letter) => table.get(letter) ?? letter).join('')

/**
 * What two names that are the same have in common: one key where the letters are Latin, two where letters of other
 * scripts look like different ones in small and in capital letters.
 */
export function nameKeys(name: string): [string, ...string[]] {
  const folded = foldedName(name)
  const first = asLatin(folded, small)
  const second = asLatin(folded.toUpperCase(), capital).toLowerCase()
  return first === second ? [first] : [first, second]
}

/** Whether a name was typed as its owner types it: in any case. Other forms of the same name find its owner, but open nothing. */
export const isTypedAs = (typed: string, name: string): boolean =>
  name !== '' && typed.trim().toLowerCase() === name.toLowerCase()

export const isSameName = (one: string, other: string): boolean => {
  const known = new Set(nameKeys(one))
  return nameKeys(other).some((key) => known.has(key))
}

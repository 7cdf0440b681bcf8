export { booleanOf } from '@castellan/contract/truth'
export { addressItem } from './addresses.ts'
export { type BitTree, bare, bareText, bits, choice, multiChoice, rawChoice, stringList } from './choices.ts'
export { type Change, describedAs, type Field, type StoredRow, unstored } from './field.ts'
export { normalPhone, phone } from './phone.ts'
export {
  byName,
  cellOf,
  flag,
  keyOf,
  type Link,
  linksOf,
  many,
  one,
  oneBySerial,
  relatedOfCell,
  removeLinks,
  uuidsOf,
} from './relations.ts'
export {
  boolean,
  computed,
  datetime,
  email,
  emailDomainPattern,
  float,
  hasInfinity,
  integer,
  json,
  listOfCell,
  longText,
  normalSerial,
  normalUuid,
  nullable,
  nullableDatetime,
  nullableText,
  numberIn,
  secret,
  slug,
  text,
  textIn,
  url,
  uuid,
  webAddress,
} from './scalars.ts'

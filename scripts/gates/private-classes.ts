import { type Gate, matches } from './gate.ts'

const console_ = 'packages/console/src/'
const folder = `${console_}ant-design/`

/** A class of Ant Design itself, in a style sheet or as a string. */
const privateClass = /(?<![\w/-])\.?ant-[a-z]/

/** An update of Ant Design may rename its classes; all of them are in one folder. */
export const privateClasses: Gate = {
  name: 'private classes of Ant Design are named in one folder',
  run: (repository) =>
    repository.files
      .filter((file) => file.startsWith(console_) && !file.startsWith(folder) && /\.(css|tsx?)$/.test(file))
      .flatMap((file) => matches(repository, file, privateClass))
      .filter((found) => !/^\S+ (import|@import) /.test(found))
      .map((found) => `${found}: move it to ${folder}, or use a class or an attribute of our own`),
}

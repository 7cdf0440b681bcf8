/** Programs by the mark they set, the particular ones before those whose mark they set too. */
const programs: readonly (readonly [name: string, mark: RegExp])[] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\/(\d+)/],
  ['Opera', /\bOPR\/(\d+)/],
  ['Firefox', /\b(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /(?:Chrome|CriOS)\/(\d+)/],
  ['Safari', /\bVersion\/(\d+).* Safari\//],
]
const systems: readonly (readonly [name: string, mark: RegExp])[] = [
  ['Windows', /Windows NT/],
  ['iOS', /iPhone|iPad/],
  ['macOS', /Mac OS X|Macintosh/],
  ['Android', /Android/],
  ['ChromeOS', /CrOS/],
  ['Linux', /Linux/],
]

/** The program and the system a user agent names, `Firefox 148 · Windows`; one that is no browser's as it is. */
export function clientOf(agent: string): string {
  for (const [name, mark] of programs) {
    const version = mark.exec(agent)?.[1]
    if (!version) continue
    const system = systems.find(([, sign]) => sign.test(agent))?.[0]
    return [`${name} ${version}`, system].filter(Boolean).join(' · ')
  }
  return agent
}

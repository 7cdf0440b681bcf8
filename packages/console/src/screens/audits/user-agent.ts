/** Programs by their token in the user agent. Specific programs precede those whose token they include. */
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

/** Program and system of a user agent, `Firefox 148 · Windows`; non-browsers unchanged. */
export function clientOf(agent: string): string {
  for (const [name, mark] of programs) {
    const version = mark.exec(agent)?.[1]
    if (!version) continue
    const system = systems.find(([, sign]) => sign.test(agent))?.[0]
    return [`${name} ${version}`, system].filter(Boolean).join(' · ')
  }
  return agent
}

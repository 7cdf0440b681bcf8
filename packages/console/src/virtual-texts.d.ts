declare module 'virtual:texts/*' {
  const texts: Readonly<Record<string, string>>
  export default texts
}

declare module 'virtual:tokens.css'

declare module 'virtual:texts/*' {
  const texts: Readonly<Record<string, string>>
  export default texts
}

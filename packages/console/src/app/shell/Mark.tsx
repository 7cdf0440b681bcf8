const path =
  'M6 4.5A.5.5 0 0 1 6.5 4h4a.5.5 0 0 1 .5.5V8h2.5V4.5A.5.5 0 0 1 14 4h4a.5.5 0 0 1 .5.5V8H21V4.5a.5.5 0 0 1 .5-.5h4a.5.5 0 0 1 .5.5V12a3 3 0 0 1-1.2 2.4l-1.2.9 1.32 12.15a.5.5 0 0 1-.5.55H7.58a.5.5 0 0 1-.5-.55L8.4 15.3l-1.2-.9A3 3 0 0 1 6 12Z' +
  'M16 14a3 3 0 0 0-1.55 5.57L13.8 24.4a.5.5 0 0 0 .5.6h3.4a.5.5 0 0 0 .5-.6l-.65-4.83A3 3 0 0 0 16 14Z'

/** A keep with a keyhole. */
export const Mark = ({ size = 24 }: { size?: number }) => (
  <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
    <path d={path} fill="var(--accent)" fillRule="evenodd" />
  </svg>
)

/** The installation's own logo when one was uploaded, else ours. */
export function Brand({ logo, small }: { logo?: string; small?: boolean }) {
  if (logo && !logo.startsWith('/static/')) return <img src={logo} alt="Castellan" className="brand-logo" />
  return (
    <span className="wordmark">
      <Mark size={24} />
      {!small && 'Castellan'}
    </span>
  )
}

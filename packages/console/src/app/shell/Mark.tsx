import { logoPath } from '../../kit/logo.ts'

export const Mark = ({ size = 24 }: { size?: number }) => (
  <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
    <path d={logoPath} fill="var(--accent)" fillRule="evenodd" />
  </svg>
)

/** The uploaded logo of the installation, otherwise the built-in one. */
export function Brand({ logo, small }: { logo?: string; small?: boolean }) {
  if (logo && !logo.startsWith('/static/')) return <img src={logo} alt="Castellan" className="brand-logo" />
  return (
    <span className="wordmark">
      <Mark size={24} />
      {!small && 'Castellan'}
    </span>
  )
}

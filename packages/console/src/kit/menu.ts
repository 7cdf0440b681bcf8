import type { MenuProps } from 'antd'

/**
 * Enter on an entry of a menu chooses it, and nothing else: what opens has the keyboard before the key is done with,
 * and would take it for a press of its first button.
 */
export const choosesOnly: NonNullable<MenuProps['onClick']> = ({ domEvent }) => domEvent.preventDefault()

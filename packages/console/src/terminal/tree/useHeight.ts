import { useEffect, useRef, useState } from 'react'

/** Height of an element; a virtual tree needs it in pixels. */
export function useHeight() {
  const box = useRef<HTMLDivElement>(null)
  const [height, setHeight] = useState(0)
  useEffect(() => {
    const element = box.current
    if (!element) return
    const watcher = new ResizeObserver(() => setHeight(element.clientHeight))
    watcher.observe(element)
    return () => watcher.disconnect()
  }, [])
  return [box, height] as const
}

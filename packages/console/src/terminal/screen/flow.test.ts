import { terminalAckEvery, terminalWindow } from '@castellan/contract/web-terminal'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { DrawnMeter } from './flow.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('acknowledges the running total per step, not per frame', () => {
  const acknowledged: number[] = []
  const meter = new DrawnMeter((bytes) => acknowledged.push(bytes))
  for (let i = 0; i < 20; i++) {
    meter.received(8 * 1024)
    meter.drawn(8 * 1024)
  }
  expect(acknowledged).toEqual([terminalAckEvery, 2 * terminalAckEvery])
})

test('acknowledges the remainder when the stream is quiet, and nothing twice', () => {
  const acknowledged: number[] = []
  const meter = new DrawnMeter((bytes) => acknowledged.push(bytes), 50)
  meter.received(100)
  meter.drawn(100)
  expect(acknowledged).toEqual([])
  vi.advanceTimersByTime(60)
  expect(acknowledged).toEqual([100])
  vi.advanceTimersByTime(500)
  expect(acknowledged).toEqual([100])
})

test('a gateway that respects the window has at most the window unrendered', () => {
  let acknowledged = 0
  let sent = 0
  let most = 0
  const meter = new DrawnMeter((bytes) => {
    acknowledged = bytes
  })
  const total = 10 * 1024 * 1024
  const frame = 16 * 1024
  while (sent < total) {
    if (sent - acknowledged + frame <= terminalWindow) {
      meter.received(frame)
      sent += frame
      most = Math.max(most, meter.pending)
    } else {
      const drawn = Math.min(meter.pending, 24 * 1024)
      meter.drawn(drawn)
    }
  }
  while (meter.pending > 0) meter.drawn(Math.min(meter.pending, 24 * 1024))
  vi.advanceTimersByTime(100)
  expect(most).toBeLessThanOrEqual(terminalWindow)
  expect(acknowledged).toBe(total)
})

test('acknowledges nothing after stop', () => {
  const acknowledged: number[] = []
  const meter = new DrawnMeter((bytes) => acknowledged.push(bytes))
  meter.received(10)
  meter.drawn(10)
  meter.stop()
  vi.advanceTimersByTime(1000)
  expect(acknowledged).toEqual([])
})

import type { ShareParticipant, TerminalShareLink } from '@castellan/contract/web-terminal'
import { useMemo, useState } from 'react'

/** A user whom the owner may invite. */
export interface Candidate {
  id: string
  name: string
  username: string
}

/** The gateway's messages about a shared session. */
export interface SharingHandlers {
  /** Everybody who is in the session. */
  all(participants: ShareParticipant[]): void
  came(participant: ShareParticipant): void
  went(participant: ShareParticipant): void
  /** The link that was asked for, or why there is none. */
  shared(link: TerminalShareLink | undefined, problem: string): void
  candidates(users: Candidate[]): void
}

export interface Sharing {
  participants: readonly ShareParticipant[]
  link: TerminalShareLink | undefined
  problem: string
  candidates: readonly Candidate[]
  handlers: SharingHandlers
  /** Forgets the last link, for another one. */
  clear(): void
}

/** The state of sharing one session. */
export function useSharing(): Sharing {
  const [participants, setParticipants] = useState<readonly ShareParticipant[]>([])
  const [candidates, setCandidates] = useState<readonly Candidate[]>([])
  const [{ link, problem }, setAnswer] = useState<{ link: TerminalShareLink | undefined; problem: string }>(nothing)
  const handlers = useMemo<SharingHandlers>(() => {
    const without = (list: readonly ShareParticipant[], { terminal_id: id }: ShareParticipant) =>
      list.filter((one) => one.terminal_id !== id)
    return {
      all: setParticipants,
      came: (one) => setParticipants((list) => [...without(list, one), one]),
      went: (one) => setParticipants((list) => without(list, one)),
      shared: (made, why) => setAnswer({ link: made, problem: why }),
      candidates: setCandidates,
    }
  }, [])
  return { participants, link, problem, candidates, handlers, clear: () => setAnswer(nothing) }
}

const nothing = { link: undefined, problem: '' }

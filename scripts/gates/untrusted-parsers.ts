import { type Gate, isSource, isTest, type Repository } from './gate.ts'

/** Parsers of documents that users, providers and targets write: libraries, and functions of Node.js. */
const parsers: Readonly<Record<string, RegExp>> = {
  yaml: /(from|import\() ?'(yaml|js-yaml)'/,
  zip: /(from|import\() ?'(@zip\.js\/zip\.js|jszip|yauzl|fflate|tar-stream|tar)'/,
  workbook: /(from|import\() ?'(exceljs|xlsx|node-xlsx)'/,
  csv: /(from|import\() ?'(csv-parse[^']*|papaparse)'/,
  xml: /(from|import\() ?'(saxes|sax|@xmldom\/xmldom|fast-xml-parser|xml2js|xml-crypto|@node-saml\/node-saml[^']*)'/,
  compressed:
    /\b(inflate(Raw)?|gunzip|unzip|brotliDecompress|zstdDecompress)(Sync)?\(|\bcreate(Gunzip|Inflate\w*|Unzip|BrotliDecompress)\(/,
  certificate: /\bnew X509Certificate\(|\bcreateSecureContext\(/,
  key: /\bcreatePrivateKey\(\{|\butils\.parseKey\([^()]+,/,
  asn1: /(from|import\() ?'(asn1js|node-forge|pkijs|asn1)'/,
}

/** How a parser is bounded: it runs in the thread of parsers, or why it does not need to. */
type Bound = 'thread' | { readonly because: string }

const inThread: Bound = 'thread'
const onlyWrites = { because: 'it packs what we write' }

/** Every file that parses, with its kinds and their bound. Files of the thread are named by a `boundedParser`. */
const known: Readonly<Record<string, Bound>> = {
  'packages/server/src/modules/ops/playbook-yaml.ts yaml': inThread,
  'packages/server/src/modules/ops/playbook-unpacked.ts zip': inThread,
  'packages/server/src/modules/applets/package/archive.ts zip': inThread,
  'packages/server/src/modules/applets/package/manifest.ts yaml': inThread,
  'packages/server/src/kernel/files/table-rows.ts csv': inThread,
  'packages/server/src/kernel/files/unpacked.ts zip': inThread,
  'packages/server/src/kernel/files/workbook-reader.ts xml': inThread,
  'packages/server/src/kernel/files/unprotected-workbook.ts xml': inThread,
  'packages/server/src/kernel/files/workbook.ts zip': onlyWrites,
  'packages/server/src/kernel/files/encrypted-zip.ts zip': onlyWrites,
  'packages/server/src/modules/terminal/sessions/replay.ts zip': onlyWrites,
  'packages/server/src/modules/accounts/ssh-key.ts key': {
    because: 'what its decryption takes is read first (isCheapKey)',
  },
  'packages/server/src/modules/authentication/federated/xml.ts xml': {
    because: 'linear and 50 deep at most: forms of 256 kB, answers of 4 MB, and metadata that administrators set',
  },
  'packages/server/src/modules/authentication/federated/saml-client.ts xml': { because: 'forms of at most 256 kB' },
  'packages/server/src/modules/authentication/federated/saml-pages.ts xml': { because: 'forms of at most 256 kB' },
  'packages/server/src/modules/authentication/federated/saml-pages.ts compressed': {
    because: 'maxOutputLength of 64 kB',
  },
  'packages/server/src/modules/authentication/federated/saml-soundness.ts xml': { because: 'forms of at most 256 kB' },
  'packages/server/src/modules/authentication/federated/saml-sign-out.ts xml': { because: 'forms of at most 256 kB' },
  'packages/server/src/modules/cloud/providers/vsphere-soap.ts xml': {
    because: 'linear, in jobs, of answers whose length http-client.ts bounds',
  },
}

const within = /^packages\/(server|gateway|connectors|ingress)\/src\//
const isChecked = (file: string) => within.test(file) && isSource(file) && !isTest(file) && !/\/testing/.test(file)

export const untrustedParsers: Gate = {
  name: 'parsers of what users send run in the thread of parsers, or say what bounds them',
  run: (repository) => unboundedParsers(repository, known),
}

/** The files that a module of the thread reaches by its imports. */
function reachedFrom(repository: Repository, start: string, reached = new Set<string>()): Set<string> {
  if (reached.has(start) || !repository.files.includes(start)) return reached
  reached.add(start)
  for (const [, path = ''] of repository.read(start).matchAll(/^import (?!type )[^'"]*?from '(\.[^']+)'/gm))
    reachedFrom(repository, new URL(path, `file:///${start}`).pathname.slice(1), reached)
  return reached
}

/** @param list the bound of each parser, by file and kind; an unnecessary entry is a finding too */
export function unboundedParsers(repository: Repository, list: Readonly<Record<string, Bound>>): string[] {
  const files = repository.files.filter(isChecked)
  const threads = new Set<string>()
  for (const file of files)
    for (const [, name = ''] of repository.read(file).matchAll(/import\.meta\.dirname, '([\w-]+\.ts)'/g)) {
      const isParser = repository.read(file).includes('boundedParser<')
      if (isParser) reachedFrom(repository, file.replace(/[^/]+$/, name), threads)
    }
  const problems: string[] = []
  const used = new Set<string>()
  for (const file of files)
    for (const [kind, pattern] of Object.entries(parsers)) {
      const lines = repository.read(file).split('\n')
      if (!lines.some((line) => !/^import type/.test(line) && pattern.test(line))) continue
      const entry = `${file} ${kind}`
      used.add(entry)
      const bound = list[entry]
      if (bound === undefined)
        problems.push(`${entry} ← parse it by boundedParser of kernel/untrusted, and list it in untrusted-parsers.ts`)
      else if (bound === 'thread' && !threads.has(file)) problems.push(`${entry} is reached by no boundedParser`)
    }
  const gone = Object.keys(list).filter((entry) => !used.has(entry))
  return [...problems, ...gone.map((entry) => `${entry} parses nothing: remove its entry`)]
}

// A small webhook receiver. What the variables mean: ../README.md.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import { createServer } from 'node:http'

const MAX_BODY = 4 << 20
const WINDOW = 300 // seconds, both ways

const { SECRET = '', SCHEME = '', HEADER = '', ID = '', EFFECTS = '' } = process.env
const secrets = SECRET.split('\n').filter((line) => line !== '')
const verifiers = { 't-v1': verifyTimed, hex: verifyHex }
const verify = Object.hasOwn(verifiers, SCHEME) ? verifiers[SCHEME] : undefined
if (secrets.length < 1 || secrets.length > 2 || !verify || HEADER === '') {
  console.error('SECRET (one or two lines), SCHEME (t-v1 or hex) and HEADER must be set')
  process.exit(2)
}

const equal = (a, b) => a.length === b.length && timingSafeEqual(a, b)

// A header value comes as latin1: one character a byte.
function matches(value, ...parts) {
  const got = Buffer.from(value, 'latin1')
  let found = false
  for (const secret of secrets) {
    const mac = createHmac('sha256', secret)
    for (const part of parts) mac.update(part)
    if (equal(got, Buffer.from(mac.digest('hex')))) found = true
  }
  return found
}

function verifyHex(header, body) {
  return matches(header, body)
}

function verifyTimed(header, body) {
  const items = header.split(',')
  const times = items.filter((item) => item.startsWith('t='))
  if (times.length !== 1) return false
  const t = times[0].slice(2)
  if (!/^(0|[1-9][0-9]{0,14})$/.test(t)) return false
  let found = false
  for (const item of items) {
    if (item.startsWith('v1=') && matches(item.slice(3), t, '.', body)) found = true
  }
  const now = Math.floor(Date.now() / 1000)
  return found && Math.abs(now - Number(t)) <= WINDOW
}

// An event has its effect once; a repeated one is accepted again. Nothing else
// runs between the look and the note.
const done = new Set()
function handle(body) {
  if (ID === '') return 200
  let event
  try {
    event = JSON.parse(body.toString())
  } catch {
    return 400
  }
  const id = event?.[ID]
  if (typeof id !== 'string') return 400
  if (done.has(id)) return 200
  try {
    if (EFFECTS !== '') appendFileSync(EFFECTS, id + '\n', { mode: 0o600 })
  } catch {
    return 503 // it comes again
  }
  done.add(id)
  return 200
}

// All lines of one header: node itself joins repeated lines into one value.
function headerLines(raw, name) {
  const lines = []
  for (let i = 0; i < raw.length; i += 2) {
    if (raw[i].toLowerCase() === name.toLowerCase()) lines.push(raw[i + 1])
  }
  return lines
}

const server = createServer((req, res) => {
  const chunks = []
  let size = 0
  req.on('data', (chunk) => {
    size += chunk.length
    if (size <= MAX_BODY) chunks.push(chunk)
  })
  req.on('error', () => {}) // the client went away
  req.on('end', () => {
    const lines = headerLines(req.rawHeaders, HEADER)
    let status = 401
    if (req.method !== 'POST') status = 405
    else if (size > MAX_BODY) status = 413
    else if (lines.length === 1 && verify(lines[0], Buffer.concat(chunks))) status = handle(Buffer.concat(chunks))
    res.writeHead(status, status === 405 ? { Allow: 'POST', 'Content-Length': 0 } : { 'Content-Length': 0 })
    res.end()
    console.log(`${req.method} ${req.url.split('?')[0]} ${status}`)
  })
})
server.keepAliveTimeout = 0 // an idle connection stays; the default of 5 s is short of most senders' pauses

server.listen(0, '127.0.0.1', () => console.log(`listening ${server.address().port}`))

function stop() {
  process.exit(0)
}
process.on('SIGTERM', stop)
process.stdin.on('end', stop).on('error', stop).resume()

// A webhook receiver that checks the signature over JSON.stringify of the
// parsed body. What the variables mean: ../README.md.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const { SECRET = '', SCHEME = '', HEADER = '' } = process.env
const secrets = SECRET.split('\n').filter((line) => line !== '')

function matches(value, t, body) {
  return secrets.some((secret) => {
    const want = createHmac('sha256', secret).update(t === undefined ? body : `${t}.${body}`).digest('hex')
    return value.length === want.length && Buffer.from(value).length === want.length && timingSafeEqual(Buffer.from(value), Buffer.from(want))
  })
}

function verify(header, raw) {
  let body = raw.toString()
  try {
    body = JSON.stringify(JSON.parse(body)) // the fault
  } catch {
    // what is no JSON is checked as it came
  }
  if (SCHEME === 'hex') return matches(header, undefined, body)
  const items = header.split(',')
  const times = items.filter((item) => item.startsWith('t=')).map((item) => item.slice(2))
  if (times.length !== 1 || !/^(0|[1-9][0-9]{0,14})$/.test(times[0])) return false
  const age = Math.abs(Math.floor(Date.now() / 1000) - Number(times[0]))
  return age <= 300 && items.some((item) => item.startsWith('v1=') && matches(item.slice(3), times[0], body))
}

const server = createServer((req, res) => {
  const chunks = []
  req.on('data', (chunk) => chunks.push(chunk))
  req.on('error', () => {})
  req.on('end', () => {
    const lines = req.rawHeaders.filter((_, i, all) => i % 2 === 1 && all[i - 1].toLowerCase() === HEADER.toLowerCase())
    const raw = Buffer.concat(chunks)
    const status = req.method !== 'POST' ? 405 : lines.length === 1 && verify(lines[0], raw) ? 200 : 401
    res.writeHead(status, { 'Content-Length': 0 })
    res.end()
  })
})
server.keepAliveTimeout = 0
server.listen(0, '127.0.0.1', () => console.log(`listening ${server.address().port}`))
process.stdin.on('end', () => process.exit(0)).on('error', () => process.exit(0)).resume()

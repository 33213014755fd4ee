# frozen_string_literal: true

# A small webhook receiver. What the variables mean: ../README.md.
# Ruby has no HTTP server in its standard library: the one here is as small as
# can be.

require "openssl"
require "socket"

MAX_BODY = 4 << 20
MAX_LINE = 64 << 10
WINDOW = 300 # seconds, both ways
REASONS = { 200 => "OK", 400 => "Bad Request", 401 => "Unauthorized",
            405 => "Method Not Allowed", 413 => "Content Too Large" }.freeze

SECRETS = ENV.fetch("SECRET", "").b.split("\n").reject(&:empty?)
SCHEME = ENV.fetch("SCHEME", "")
HEADER = ENV.fetch("HEADER", "").downcase

unless SECRETS.size.between?(1, 2) && %w[t-v1 hex].include?(SCHEME) && !HEADER.empty?
  warn "SECRET (one or two lines), SCHEME (t-v1 or hex) and HEADER must be set"
  exit 2
end

# BadRequest is a request that is not read further.
class BadRequest < StandardError
  attr_reader :status

  def initialize(status)
    super(status.to_s)
    @status = status
  end
end

def matches?(value, message)
  SECRETS.map { |secret| OpenSSL.secure_compare(OpenSSL::HMAC.hexdigest("SHA256", secret, message), value) }.any?
end

def verified?(header, body)
  return matches?(header, body) if SCHEME == "hex"

  items = header.split(",", -1)
  times = items.filter_map { |item| item.delete_prefix("t=") if item.start_with?("t=") }
  return false unless times.size == 1 && times[0].match?(/\A(0|[1-9][0-9]{0,14})\z/)

  digests = items.filter_map { |item| item.delete_prefix("v1=") if item.start_with?("v1=") }
  found = digests.map { |digest| matches?(digest, "#{times[0]}.".b + body) }.any?
  found && (Time.now.to_i - times[0].to_i).abs <= WINDOW
end

def read_line(io)
  line = io.gets("\n", MAX_LINE)
  raise EOFError if line.nil?
  raise BadRequest, 400 unless line.end_with?("\n")

  line.chomp
end

def read_headers(io)
  headers = Hash.new { |hash, name| hash[name] = [] }
  200.times do
    line = read_line(io)
    return headers if line.empty?

    name, value = line.split(":", 2)
    raise BadRequest, 400 if value.nil?

    headers[name.downcase] << value.gsub(/\A[ \t]+|[ \t]+\z/n, "")
  end
  raise BadRequest, 400
end

def read_exactly(io, size)
  return "".b if size.zero?

  data = io.read(size)
  raise EOFError if data.nil? || data.bytesize < size

  data
end

def read_chunks(io)
  body = "".b
  loop do
    size = read_line(io)[/\A[0-9a-fA-F]{1,8}(?=\s*(;|\z))/n]
    raise BadRequest, 400 if size.nil?
    break if size.hex.zero?
    raise BadRequest, 413 if body.bytesize + size.hex > MAX_BODY

    body << read_exactly(io, size.hex)
    raise BadRequest, 400 unless read_line(io).empty?
  end
  nil until read_line(io).empty? # trailers
  body
end

def read_body(io, headers)
  io.write("HTTP/1.1 100 Continue\r\n\r\n") if headers["expect"].any? { |v| v.casecmp?("100-continue") }
  return read_chunks(io) if headers["transfer-encoding"].any? { |v| v.casecmp?("chunked") }

  length = headers["content-length"].fetch(0, "0")
  raise BadRequest, 400 unless length.match?(/\A[0-9]{1,15}\z/)
  raise BadRequest, 413 if length.to_i > MAX_BODY

  read_exactly(io, length.to_i)
end

def answer(io, status, close)
  allow = status == 405 ? "Allow: POST\r\n" : ""
  connection = close ? "Connection: close\r\n" : ""
  io.write("HTTP/1.1 #{status} #{REASONS[status]}\r\n#{allow}#{connection}Content-Length: 0\r\n\r\n")
end

# One request; says whether the connection may carry another.
def serve_one(io)
  line = read_line(io)
  method, target, version = line.split(" ", 3)
  raise BadRequest, 400 unless version&.match?(%r{\AHTTP/1\.[01]\z})

  headers = read_headers(io)
  body = read_body(io, headers)
  signatures = headers[HEADER]
  status = if method != "POST" then 405
           elsif signatures.size == 1 && verified?(signatures[0], body) then 200
           else 401
           end
  close = version == "HTTP/1.0" || headers["connection"].any? { |v| v.casecmp?("close") }
  answer(io, status, close)
  $stdout.write("#{method} #{target.split("?")[0]} #{status}".dump[1..-2], "\n")
  !close
rescue BadRequest => e
  answer(io, e.status, true)
  false
end

def serve(io)
  io.binmode
  nil while serve_one(io)
rescue EOFError, SystemCallError
  # the client went away
ensure
  io.close
end

$stdout.sync = true
trap("TERM") { exit!(0) }
Thread.new do
  $stdin.read
  exit!(0)
end
server = TCPServer.new("127.0.0.1", 0)
server.listen(128)
puts "listening #{server.addr[1]}"
loop { Thread.new(server.accept) { |io| serve(io) } }

-- Sends the same request with the keys of a file in turn. Given: the file, a key a line.
local requests, next = {}, 0
function init(args)
  for key in io.lines(args[1]) do
    requests[#requests + 1] = wrk.format("GET", nil, { ["Host"] = wrk.headers["Host"], ["Authorization"] = "Bearer " .. key })
  end
end
function request()
  next = next % #requests + 1
  return requests[next]
end

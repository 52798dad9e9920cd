-- wrk sends the lines of a file one after the other: Authorization, DPoP, type and body of a POST, separated by tabs. What is
-- not sent is empty; without a body it is a GET.
local requests = {}
local at = 0

function init(args)
  for line in io.lines(args[1]) do
    local authorization, dpop, type, body = line:match("^(.-)\t(.-)\t(.-)\t(.*)$")
    local headers = {}
    if authorization ~= "" then headers["Authorization"] = authorization end
    if dpop ~= "" then headers["DPoP"] = dpop end
    if body ~= "" then headers["Content-Type"] = type end
    local method = body == "" and "GET" or "POST"
    requests[#requests + 1] = wrk.format(method, nil, headers, body ~= "" and body or nil)
  end
end

function request()
  at = at % #requests + 1
  return requests[at]
end

-- wrk sends the lines of a file one after the other: a value of Authorization, a tab and a form, or none for a GET.
local requests = {}
local at = 0

function init(args)
  for line in io.lines(args[1]) do
    local authorization, form = line:match("^(.-)\t(.*)$")
    local headers = { ["Authorization"] = authorization }
    if form ~= "" then headers["Content-Type"] = "application/x-www-form-urlencoded" end
    local method = form == "" and "GET" or "POST"
    requests[#requests + 1] = wrk.format(method, nil, headers, form ~= "" and form or nil)
  end
end

function request()
  at = at % #requests + 1
  return requests[at]
end

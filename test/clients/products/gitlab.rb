# GitLab's strategy (Debian's omniauth_openid_connect) with the configuration of the preset `gitlab`, which gitlab.rb
# of GitLab contains. PORT and CONFIGURATION (a file); the callback returns what GitLab reads of the sign-in.
require "json"
require "omniauth_openid_connect"
require "rack"
require "webrick"

# Discovery by http, as on this machine.
SWD.url_builder = URI::HTTP
WebFinger.url_builder = URI::HTTP if defined?(WebFinger)

gitlab_rails = {}
eval(File.read(ENV.fetch("CONFIGURATION")), binding)
configured = gitlab_rails.fetch("omniauth_providers").fetch(0)
args = configured.fetch(:args)
groups_attribute = args.dig(:client_options, :gitlab, :groups_attribute)
issuer = URI(args.fetch(:issuer))
local = { scheme: issuer.scheme, host: issuer.host, port: issuer.port }

OmniAuth.config.allowed_request_methods = %i[get post]
OmniAuth.config.silence_get_warning = true
OmniAuth.config.request_validation_phase = nil
OmniAuth.config.path_prefix = "/users/auth"
OmniAuth.config.on_failure = proc do |env|
  [500, { "content-type" => "text/plain" }, ["#{env["omniauth.error.type"]} #{env["omniauth.error"].inspect}"]]
end

app = Rack::Builder.new do
  use Rack::Session::Cookie, secret: "x" * 64
  use OmniAuth::Builder do
    provider :openid_connect, **args, client_options: args.fetch(:client_options).merge(local)
  end
  run(proc do |env|
    auth = env["omniauth.auth"]
    raw = auth&.extra&.raw_info || {}
    read = { uid: auth&.uid, info: auth&.info.to_h, groups: raw[groups_attribute] }
    [200, { "content-type" => "application/json" }, [JSON.generate(read)]]
  end)
end
log = WEBrick::Log.new($stderr, WEBrick::Log::WARN)
Rack::Handler::WEBrick.run(app, Host: "127.0.0.1", Port: ENV.fetch("PORT").to_i, AccessLog: [], Logger: log)

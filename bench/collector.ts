/** A collector in a separate process that accepts OTLP exports and discards the data. */
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  async fetch(request) {
    await request.arrayBuffer();
    return new Response(null, { status: 200, headers: { "content-type": "application/x-protobuf" } });
  },
});
console.log(JSON.stringify({ url: server.url.origin }));

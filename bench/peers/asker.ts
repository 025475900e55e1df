// Sends the requests from its input, one per line, and prints a line with the status of each response. In its own process, so
// that reading a response costs the server's thread nothing.
const [origin = "", key = ""] = process.argv.slice(2);

for await (const line of console) {
  const { method, path, body } = JSON.parse(line) as { method: string; path: string; body?: unknown };
  const response = await fetch(origin + path, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      accept: path.startsWith("/v") ? "application/json" : "text/html",
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  await response.arrayBuffer();
  console.log(response.status);
}

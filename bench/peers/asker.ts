// Asks what its input says, one request a line, and writes a line with the status of each answer. In a process of its own, so
// that reading an answer takes nothing of the thread that made it.
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

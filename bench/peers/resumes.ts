// Keyless sockets that resume everything at once and read as fast as they can, in their own process. Arguments: the URL of the
// streams, the log's epoch, the number of sockets. Exits when each has been notified that its resume is complete.
const [url, epoch, count] = process.argv.slice(2);
const RESUMED = '{"type":"resumed"';

const resume = () =>
  new Promise<void>((resolve, reject) => {
    const socket = new WebSocket(`${url}/ws/alerts?resume=${epoch}.0`);
    socket.addEventListener("message", ({ data }) => {
      if (!String(data).startsWith(RESUMED)) return;
      resolve();
      socket.close();
    });
    socket.addEventListener("close", ({ code }) => reject(new Error(`closed with ${code}`)));
  });

await Promise.all(Array.from({ length: Number(count) }, resume));
process.exit(0);

// Keyless sockets that resume everything at once and read as fast as they can, in a process of their own. Given: the address of
// the streams, the log's epoch, how many. Ends when each has heard that its resume is over.
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

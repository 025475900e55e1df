// The page of an installed app without a connection. It loads nothing, since nothing can be reached.
export const OFFLINE_PAGE = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="robots" content="noindex"><title>Offline · Crowdtape</title></head>
<body><main><h1>No connection</h1><p>Crowdtape can't reach its server, so there is nothing to show right now.</p>
<p><a href="">Try again</a></p></main></body></html>
`;

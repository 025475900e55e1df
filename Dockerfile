# One image for every role: the service (any ROLE) and, with another command, the simulated platform.
# It needs the base image and the npm registry, nothing else.
FROM node:20-slim

WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --no-audit --no-fund && npm cache clean --force
COPY . .
# The pages' files, so that no start has to build them.
RUN node_modules/.bin/bun -e 'await (await import("./web/assets/assets.ts")).openAssets()'
RUN mkdir /data && chown node:node /data

USER node
VOLUME /data
ENV HOST=0.0.0.0 PORT=8080 DATA_DIR=/data
# What `npm start` tells the runtime about memory, and that compiled code stays: by default it is thrown away each minute.
ENV MIMALLOC_PURGE_DELAY=10 BUN_JSC_forceRAMSize=134217728 BUN_JSC_minEdenToOldGenerationRatio=0.1 BUN_JSC_forceCodeBlockLiveness=1
EXPOSE 8080

# Whether the process turns; whether it should get traffic is /readyz, which a balancer asks.
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/livez').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]

# Directly, not through npm, so that a stop signal reaches the process that drains.
CMD ["node_modules/.bin/bun", "service/main.ts"]

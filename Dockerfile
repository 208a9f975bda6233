# One image for every process of the service: API, worker, and the command line (migrate, seed).
# Debian, not Alpine: the Temporal SDK's native part needs glibc.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci
COPY tsconfig.json tsconfig.build.json ./
COPY src ./src
COPY workflows ./workflows
COPY activities ./activities
COPY migrations ./migrations
RUN npx tsc -p tsconfig.build.json && node dist/src/workflow-bundle.js && npm prune --omit=dev

FROM node:24-bookworm-slim
# The SDK checks Temporal's TLS certificate against the system's authorities, which the slim image lacks.
RUN apt-get update \
  && apt-get install -y --no-install-recommends ca-certificates \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
RUN install -d -o node -g node /var/lib/trade-print
ENV NODE_ENV=production \
    BIND_ADDRESS=0.0.0.0 \
    DATA_DIR=/var/lib/trade-print
VOLUME /var/lib/trade-print
USER node
EXPOSE 8080 8081 8082
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.API_PORT || 8080}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/src/server.js"]

# One image for all processes of the service (API, worker, relay, inspector) and the command line (migrate, seed, reconcile, tokens).
# It uses Debian, because the native part of the Temporal SDK needs glibc. docs/operations/release.md explains how to update the digest.

FROM node:24.21.0-trixie-slim@sha256:173f125896c3b47ddf056734c7ea789d04595a6a08769a8f78e0df642781fb66 AS node

# Compiles the sources and bundles the workflows. Later stages copy only dist/ of the service, the client and the console.
FROM node AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY packages/client/package.json ./packages/client/package.json
COPY packages/console/package.json ./packages/console/package.json
RUN npm ci
COPY tsconfig.json tsconfig.build.json ./
COPY src ./src
COPY workflows ./workflows
COPY activities ./activities
COPY migrations ./migrations
COPY scripts/demo ./scripts/demo
COPY packages/client/tsconfig.json ./packages/client/tsconfig.json
COPY packages/client/scripts ./packages/client/scripts
COPY packages/client/src ./packages/client/src
COPY packages/console/tsconfig.json ./packages/console/tsconfig.json
COPY packages/console/vite.config.ts packages/console/mantine-styles.ts ./packages/console/
COPY packages/console/index.html ./packages/console/index.html
COPY packages/console/src ./packages/console/src
COPY test/support/runner/register-swc.cjs ./test/support/runner/register-swc.cjs
RUN node packages/client/scripts/types.mjs && node packages/client/scripts/build.mjs && npx vite build packages/console && npx tsc -p tsconfig.build.json && node dist/src/temporal/workflow-bundle.js && node dist/src/cli/contract.js && chmod 755 dist/src/cli/index.js

# Production packages, without the parts that the service never loads.
FROM node AS packages
WORKDIR /app
COPY package.json package-lock.json ./
COPY packages/client/package.json ./packages/client/package.json
COPY packages/console/package.json ./packages/console/package.json
COPY scripts/release/trim-packages.mjs ./scripts/release/trim-packages.mjs
RUN npm ci --omit=dev && node scripts/release/trim-packages.mjs node_modules
# Lists the packages of the lock file in the CycloneDX format and marks development packages.
RUN npm sbom --package-lock-only --sbom-format=cyclonedx > sbom.cdx.json

# The system. It is copied as one layer, because a changed file would be in the image twice.
FROM node AS system
# The SDK verifies Temporal's TLS certificate with the system's certificate authorities, which the slim image lacks.
RUN apt-get update \
  && apt-get install -y --no-install-recommends ca-certificates \
  && rm -rf /var/lib/apt/lists/* /var/cache/apt/* /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /opt/yarn* /usr/local/bin/yarn*
# If a program is executable but not readable, Linux hides its processes' environment and memory from other processes of the user.
RUN chmod 711 /usr/local/bin/node
# The file system is read-only in production; DATA_DIR is for a volume.
RUN install -d -m 700 -o 1000 -g 1000 /var/lib/trade-print && ln -s /app/dist/src/cli/index.js /usr/local/bin/trade-print

FROM scratch
COPY --from=system / /
WORKDIR /app
COPY --from=packages /app/package.json /app/sbom.cdx.json ./
COPY --from=packages /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY src/http/docs/assets ./src/http/docs/assets
COPY src/documents/templates ./src/documents/templates
COPY docs/guides ./docs/guides
COPY CHANGELOG.md ./
# The demo imports it through a link in node_modules.
COPY --from=build /app/packages/client/package.json ./packages/client/package.json
COPY --from=build /app/packages/client/dist ./packages/client/dist
# The studio listener serves the console.
COPY --from=build /app/packages/console/dist ./packages/console/dist
COPY packages/client/README.md ./packages/client/
# An orchestrator can verify that a numeric user is not root.
USER 1000:1000
EXPOSE 8080 8081 8082 9464
# Every process answers here.
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.MANAGEMENT_PORT || 9464}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/src/processes/api.js"]
# The release (docs/operations/containers.md, "The image"). These lines change with every build.
ARG VERSION
ARG GIT_COMMIT
ARG SOURCE
ARG CREATED
ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    NODE_ENV=production \
    BIND_ADDRESS=0.0.0.0 \
    DATA_DIR=/var/lib/trade-print \
    GIT_COMMIT=$GIT_COMMIT
LABEL org.opencontainers.image.title="trade-print" \
      org.opencontainers.image.version=$VERSION \
      org.opencontainers.image.revision=$GIT_COMMIT \
      org.opencontainers.image.source=$SOURCE \
      org.opencontainers.image.created=$CREATED

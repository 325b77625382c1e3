# The image of OTP Guard. docs/install.md says how to run it, and npm run test:image builds and starts it.

# For a build that can be repeated, give a digest: --build-arg BASE=docker.io/library/node@sha256:…
ARG BASE=docker.io/library/node:24-bookworm-slim

FROM ${BASE} AS build
WORKDIR /build
COPY .npmrc package.json package-lock.json ./
RUN --mount=type=cache,target=/root/.npm npm ci
COPY . .
# The build names its commit, which the context doesn't have.
ARG COMMIT=
# The image has what an operator without containers installs.
RUN --mount=type=cache,target=/root/.npm \
  npm run --silent package && npm install --global --prefix=/opt/otp-guard --omit=dev ./otp-guard-*.tgz

FROM ${BASE}
ARG VERSION=
ARG COMMIT=
LABEL org.opencontainers.image.title="OTP Guard" \
  org.opencontainers.image.description="A required check that turns green only when a person approved exactly this commit." \
  org.opencontainers.image.licenses="MIT" \
  org.opencontainers.image.version="${VERSION}" \
  org.opencontainers.image.revision="${COMMIT}"

# A number, so that it's the same on every base, and isn't a person's on the host.
RUN install --directory --owner=10001 --group=10001 --mode=0700 /data
COPY --from=build /opt/otp-guard /opt/otp-guard

# The set-up page listens on this machine only without HOST, and nobody reaches that from outside of the container.
ENV PATH=/opt/otp-guard/bin:$PATH \
  DATA_DIR=/data \
  HOST=0.0.0.0 \
  PORT=3000
# As in packaging/otp-guard.service.
ENV NODE_OPTIONS="--max-old-space-size=1024 --max-semi-space-size=16"

USER 10001:10001
WORKDIR /data
VOLUME /data
EXPOSE 3000
# The set-up page answers with 404: the container is healthy while it waits for its App.
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ status }) => process.exit(status < 500 ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["otp-guard"]
CMD ["start"]

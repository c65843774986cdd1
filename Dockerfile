# The Node.js of both stages is the one that package.json pins: the compiled code in dist/cache is for it alone.
FROM node:24.21.0-trixie-slim AS build
WORKDIR /src
COPY package.json package-lock.json .npmrc tsconfig.json tsconfig.library.json ./
COPY bin bin
COPY fixtures fixtures
COPY scripts scripts
COPY src src
RUN npm ci

FROM node:24.21.0-trixie-slim
ENV NODE_ENV=production \
    CUSTODY_DATABASE=/var/lib/custody/custody.db
WORKDIR /opt/custody
COPY --from=build /src/package.json ./
COPY --from=build /src/bin bin
COPY --from=build /src/dist dist
RUN ln -s /opt/custody/bin/custody.js /usr/local/bin/custody \
    && install --directory --owner=node --group=node --mode=0700 /var/lib/custody
USER node
WORKDIR /var/lib/custody
VOLUME /var/lib/custody
EXPOSE 8080 9464
HEALTHCHECK --interval=15s --timeout=5s --start-period=10s \
    CMD ["node", "-e", "fetch('http://127.0.0.1:8080/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["custody"]
CMD ["serve", "--host", "0.0.0.0", "--port", "8080", "--metrics-host", "0.0.0.0", "--metrics-port", "9464"]

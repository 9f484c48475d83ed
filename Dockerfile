# For systems that are not Linux, or not Debian's. The capabilities are for namespaces, links and real-time priority:
#
#   docker build -t photofinish .
#   docker run --rm -it --cap-add SYS_ADMIN --cap-add NET_ADMIN --cap-add SYS_NICE --cap-add SYS_PTRACE \
#     --security-opt seccomp=unconfined --security-opt apparmor=unconfined --device /dev/net/tun -v "$PWD/reports/out:/photofinish/reports/out" photofinish
FROM debian:bookworm

RUN apt-get update && apt-get install --yes --no-install-recommends ca-certificates git nodejs npm

WORKDIR /photofinish
COPY . .

# The user-mode kernel is taken along whatever this machine's kernel has: the one that it runs on may lack netem.
RUN apt-get install --yes --no-install-recommends user-mode-linux || true
RUN node harness/setup.mjs

ENTRYPOINT ["npm", "run"]
CMD ["measure"]

# PostgreSQL with Patroni, and etcd: the packages of Debian 12, with which the failover scenario runs (decision 0119).
# Patroni creates the cluster, so Debian's scripts do not.
FROM debian:12.12-slim
RUN groupadd --system --gid 999 postgres \
 && useradd --system --uid 999 --gid postgres --home-dir /var/lib/postgresql postgres \
 && apt-get update \
 && apt-get install --yes --no-install-recommends postgresql-common \
 && echo 'create_main_cluster = false' >> /etc/postgresql-common/createcluster.conf \
 && apt-get install --yes --no-install-recommends \
      etcd-server=3.4.* patroni=3.0.* pgbackrest=2.45-* postgresql-15=15.* python3-etcd \
 && rm -rf /var/lib/apt/lists/* \
 && install --directory --owner postgres --group postgres --mode 700 /var/lib/landfall-database /var/lib/pgbackrest
COPY compose/patroni.yaml compose/create-database.sh /etc/
COPY backup/pgbackrest.conf /etc/pgbackrest.conf
COPY backup/back-up.sh compose/back-up-daily.sh /usr/local/lib/landfall/
VOLUME /var/lib/landfall-database /var/lib/pgbackrest
USER postgres
ENV PATH=/usr/lib/postgresql/15/bin:$PATH

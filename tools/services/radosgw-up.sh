#!/bin/bash
# An S3 service of our own on loopback: the smallest single-host Ceph (monitor, one in-memory OSD) with its S3 gateway.
# Needs Debian's ceph-mon, ceph-osd, ceph-common and radosgw (apt-get install --no-install-recommends), and curl.
# Prints the TEST_S3_URL to use, and does nothing else if the gateway is already running.
#   RADOSGW_FOLDER  folder for configuration, keys, logs and `pids` (default: a folder under the temporary directory)
#   RADOSGW_PORT    the gateway's port (default 7480)
#   CEPH_MON_PORT   the monitor's port (default 3300)
# Objects are kept in memory: stopping the service (kill $(cat FOLDER/pids)) deletes them.
set -eu
folder=${RADOSGW_FOLDER:-${TMPDIR:-/tmp}/bowerbird-services/radosgw}
port=${RADOSGW_PORT:-7480}
mon_port=${CEPH_MON_PORT:-3300}
access_key=bowerbird
secret_key=bowerbird-test-secret
url="s3://$access_key:$secret_key@127.0.0.1:$port/bowerbird-test?tls=0&pathStyle=1"

answers() { curl -s -o /dev/null --max-time 2 "http://127.0.0.1:$port"; }
ready() { [ -e "$folder/ready" ] && answers; }
fail() { echo "radosgw-up: $1 (logs: $folder/run)" >&2; exit 1; }

for program in ceph ceph-mon ceph-osd radosgw radosgw-admin monmaptool ceph-authtool curl flock; do
  command -v "$program" >/dev/null || fail "$program is missing: apt-get install --no-install-recommends ceph-mon ceph-osd ceph-common radosgw curl"
done
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
exec 9>"$folder/lock"
flock 9 # two starters at once: the second finds the first's work done
if ready; then echo "$url"; exit 0; fi
answers && fail "port $port is taken by something else"

cd "$folder"
[ ! -e pids ] || xargs -r kill <pids 2>/dev/null || true
rm -rf run mon osd ready
mkdir -p run mon osd/0
: >pids
fsid=$(cat /proc/sys/kernel/random/uuid)
cat >ceph.conf <<CONF
[global]
fsid = $fsid
keyring = $folder/run/keyring
mon host = [v2:127.0.0.1:$mon_port]
mon initial members = a
auth cluster required = cephx
auth service required = cephx
auth client required = cephx
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 8
osd pool default pgp num = 8
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
mon allow pool size one = true
mon warn on pool no redundancy = false
mon data = $folder/mon
mon osd down out interval = 0
mon max pg per osd = 2000
run dir = $folder/run
admin socket = $folder/run/\$name.asok
log file = $folder/run/\$name.log
pid file = $folder/run/\$name.pid
osd data = $folder/osd/0
osd objectstore = memstore
memstore device bytes = 2147483648
public addr = 127.0.0.1
cluster addr = 127.0.0.1
ms bind ipv6 = false
[client.rgw]
keyring = $folder/run/keyring
rgw frontends = beast endpoint=127.0.0.1:$port tcp_nodelay=1
rgw enable usage log = false
rgw s3 auth use sts = false
rgw thread pool size = 32
debug rgw = 0
debug ms = 0
CONF
export CEPH_CONF=$folder/ceph.conf

# The daemons outlive this script, so they must not inherit its lock.
start() {
  local name=$1
  shift
  setsid "$@" >"run/$name.out" 2>&1 </dev/null 9>&- &
  echo $! >>pids
}
key() { ceph-authtool run/keyring --gen-key "$@" >/dev/null; }

monmaptool --create --clobber --addv a "[v2:127.0.0.1:$mon_port]" --fsid "$fsid" run/monmap >/dev/null
ceph-authtool --create-keyring run/keyring --gen-key -n mon. --cap mon 'allow *' >/dev/null
key -n client.admin --cap mon 'allow *' --cap osd 'allow *' --cap mgr 'allow *' --cap mds 'allow *'
key -n osd.0 --cap mon 'allow profile osd' --cap osd 'allow *' --cap mgr 'allow profile osd'
key -n client.rgw --cap mon 'allow *' --cap osd 'allow *' --cap mgr 'allow *'

ceph-mon --mkfs -i a --monmap run/monmap --keyring run/keyring >run/monmkfs.out 2>&1
start mon ceph-mon -f -i a
timeout 60 ceph auth import -i run/keyring >>run/setup.out 2>&1 || fail 'the monitor does not answer'
osd=$(cat /proc/sys/kernel/random/uuid)
timeout 20 ceph osd new "$osd" >>run/setup.out 2>&1 || fail 'the monitor refused the OSD'
ceph-osd -i 0 --mkfs --osd-uuid "$osd" >run/osdmkfs.out 2>&1
start osd ceph-osd -f -i 0
timeout 20 ceph osd crush add osd.0 1.0 root=default host=localhost >>run/setup.out 2>&1 || fail 'the OSD was not placed'
start rgw radosgw -f -n client.rgw
for _ in $(seq 240); do
  answers && break
  sleep 0.5
done
answers || fail 'the gateway did not start'
timeout 60 radosgw-admin -n client.rgw user create --uid=bowerbird --display-name=bowerbird \
  --access-key="$access_key" --secret-key="$secret_key" >>run/setup.out 2>&1 || fail 'the user was not created'
touch ready
echo "$url"

// An empty module: webtorrent then considers the transport unsupported, and uses TCP.
module.exports = {};

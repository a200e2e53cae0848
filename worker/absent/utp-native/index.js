// Nothing: webtorrent then finds the transport unsupported, and talks TCP.
module.exports = {};

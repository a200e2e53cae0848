// An empty module: simple-peer then considers WebRTC unsupported, and webtorrent works without it.
export const RTCPeerConnection = undefined;
export const RTCSessionDescription = undefined;
export const RTCIceCandidate = undefined;

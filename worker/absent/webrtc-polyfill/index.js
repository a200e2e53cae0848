// Nothing: simple-peer then finds WebRTC unsupported, and webtorrent does without.
export const RTCPeerConnection = undefined;
export const RTCSessionDescription = undefined;
export const RTCIceCandidate = undefined;

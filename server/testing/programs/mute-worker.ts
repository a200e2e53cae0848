// Takes the place of the worker, keeps running, and never sends a message.
setInterval(() => {}, 1000);
process.on('disconnect', () => process.exit());

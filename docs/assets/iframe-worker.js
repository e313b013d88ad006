// A page opened from the disk may start no worker, and the search runs in one. This one
// runs in a frame of the page: the search's script is loaded there, and messages go
// to it and back as to a worker. Pages that come from a server keep real workers.
(function () {
  "use strict";
  if (location.protocol !== "file:") return;

  window.IFrameWorker = window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.appendChild(frame);
      const inside = frame.contentWindow;
      const hear = (data) =>
        this.dispatchEvent(new MessageEvent("message", { data: data }));
      // The script calls postMessage to answer, and listens to what it is sent.
      inside.postMessage = (data) => hear(data);
      this.ready = new Promise((done) => {
        const script = inside.document.createElement("script");
        script.src = url;
        script.onload = done;
        inside.document.head.appendChild(script);
      });
      this.frame = inside;
    }

    postMessage(data) {
      this.ready.then(() =>
        this.frame.dispatchEvent(new MessageEvent("message", { data: data })),
      );
    }

    terminate() {}
  };
})();

// Draw: the head runs ahead.
ring.strokeStart = 0.02;
draw.keyPath = @"strokeEnd";
draw.fromValue = @0.02;
draw.toValue = @0.98;
// Erase, and turn the triangle meanwhile.
ring.strokeEnd = 0.98;
erase.keyPath = @"strokeStart";
erase.fromValue = @0.02;
erase.toValue = @0.98;
turn.keyPath = @"transform.rotation.z";
turn.toValue = @(4 * M_PI / 3);
